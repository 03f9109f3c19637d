# The hook of accesses. While a plain trace is recorded it is called for every access of the program,
# so its fast path is written by hand: one register saved, no call. All else is a jump to
# heddleAccessSlowly, which has the same convention (preserve_most: only %r11 may be lost).
#
# void __heddle_access(const void* address, const SiteSlot* site)

    .text
    .globl __heddle_access
    .type __heddle_access, @function
    .p2align 4
__heddle_access:
    .cfi_startproc
    pushq %rax
    .cfi_adjust_cfa_offset 8
    movq 8(%rsi), %r11                      # kind
    cmpq $-1, %r11                          # kSlowSlot
    je 1f
    movq heddleTraceCursor(%rip), %rax      # next
    cmpq heddleTraceCursor+24(%rip), %rax   # hookLimit
    jae 1f
    prefetchw 1024(%rax)                    # the controller's core has read that line: get it back
    orq %rdi, %r11                          # user addresses have 47 bits
    movq %r11, (%rax)
    movq (%rsi), %r11                       # id and size
    orq heddleTraceCursor+16(%rip), %r11    # thread
    movq %r11, 8(%rax)
    addq $16, %rax
    movq %rax, heddleTraceCursor(%rip)
    popq %rax
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_adjust_cfa_offset 8
1:
    popq %rax
    .cfi_adjust_cfa_offset -8
    jmp heddleAccessSlowly
    .cfi_endproc
    .size __heddle_access, . - __heddle_access

    .section .note.GNU-stack, "", @progbits
