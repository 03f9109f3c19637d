#include "runtime/sync/once_model.h"

#include <stddef.h>

struct Call {
  void (*abandon)(void*); // null once the routine has returned
  void* context;
};

static void leave(struct Call* call) {
  if (call->abandon)
    call->abandon(call->context);
}

void heddleCallOrAbandon(void (*routine)(void), void (*abandon)(void*), void* context) {
  struct Call call __attribute__((cleanup(leave))) = {abandon, context};
  routine();
  call.abandon = NULL;
}
