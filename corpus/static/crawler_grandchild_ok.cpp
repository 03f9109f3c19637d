// A crawler whose page thread starts a thread for the images of the page and joins it before it
// ends. Who joins the page thread has waited for the images as well.
#include <string>
#include <thread>
#include <vector>

struct Page {
  std::string title;
  std::vector<int> images;
  int links = 0;
};

class Crawler {
public:
  void crawl(Page &page) {
    std::thread loader([this, &page] { loadPage(page); });
    page.links = 4; // NORACE
    loader.join();
    bytes_ += page.title.size();  // NORACE
    bytes_ += page.images.size(); // NORACE
  }

  std::size_t bytes() const { return bytes_; } // NORACE

private:
  void loadPage(Page &page) {
    page.title = "index"; // NORACE
    std::thread images([this, &page] { loadImages(page); });
    page.title += ".html"; // NORACE
    images.join();
  }

  void loadImages(Page &page) {
    for (int image = 0; image < 3; ++image)
      page.images.push_back(image); // NORACE
    images_ += 3;                   // NORACE
  }

  std::size_t bytes_ = 0;
  int images_ = 0;
};

int main() {
  Crawler crawler;
  Page home;
  crawler.crawl(home);
  return crawler.bytes() == 13 && home.images.size() == 3 ? 0 : 1; // NORACE
}
