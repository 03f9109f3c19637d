// A renderer that announces the finished picture with a promise. The picture and the statistics are
// written before the announcement and read after it, without a lock or a join.
#include <future>
#include <thread>
#include <vector>

struct Picture {
  std::vector<int> pixels;
  int passes = 0;
};

class Renderer {
public:
  explicit Renderer(int size) : size_(size) {}

  void render(std::promise<void> done) {
    for (int i = 0; i < size_; ++i)     // NORACE
      picture_.pixels.push_back(i % 3); // NORACE
    picture_.passes = 2;                // NORACE
    done.set_value();
    ++rendered_; // NORACE
  }

  const Picture &picture() const { return picture_; }
  int rendered() const { return rendered_; } // NORACE

private:
  const int size_;
  Picture picture_;
  int rendered_ = 0;
};

static int show(const Picture &picture) {
  int visible = picture.passes;    // NORACE
  for (int pixel : picture.pixels) // NORACE
    visible += pixel;
  return visible;
}

int main() {
  Renderer renderer(6);
  std::promise<void> done;
  std::future<void> finished = done.get_future();
  std::thread thread(&Renderer::render, &renderer, std::move(done));
  finished.wait();
  int visible = show(renderer.picture());
  thread.join();
  return visible == 8 && renderer.rendered() == 1 ? 0 : 1;
}
