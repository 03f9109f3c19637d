# cmake -DPAGE=viewer/dist/viewer.html -DOUTPUT=viewer_page.cpp -P embed_page.cmake
# The built page as bytes of the program, so that heddle needs no file beside it.
file(READ "${PAGE}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"report/html_reporter.h\"\n\n#include <string_view>\n\n"
     "namespace heddle {\n\nstatic const unsigned char kPage[] = {${bytes}};\n\n"
     "std::string_view viewerPage() {\n"
     "  return {reinterpret_cast<const char*>(kPage), sizeof kPage};\n}\n\n} // namespace heddle\n")
