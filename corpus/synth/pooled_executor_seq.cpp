#include "pooled_executor.h"

int main() {
  PooledExecutor executor(4);
  executor.execute(std::make_shared<Task>(3));
  (void)executor.isCurrentInvalid();
  executor.invalidateAll();
  (void)executor.getPoolSize();
  (void)executor.getMaximumPoolSize();
  executor.setMaximumPoolSize(2);
  (void)executor.executed();
  executor.shutdown();
}
