# The hook of accesses. While a plain trace is recorded it is called for every access of the program,
# so its fast path is written by hand: two registers saved, no call. All else is a jump to
# heddleAccessSlowly, which has the same convention (preserve_most: only %r11 may be lost).
#
# void __heddle_access(const void* address, const uint32_t* site)

    .text
    .globl __heddle_access
    .type __heddle_access, @function
    .p2align 4
__heddle_access:
    .cfi_startproc
    pushq %rax
    .cfi_adjust_cfa_offset 8
    pushq %rcx
    .cfi_adjust_cfa_offset 8
    movl (%rsi), %ecx
    movq heddleSiteModes(%rip), %rax
    movzbl (%rax,%rcx), %eax
    cmpb heddleFastMode(%rip), %al
    jne 1f
    movq heddleTraceCursor(%rip), %rax      # next
    cmpq heddleTraceCursor+8(%rip), %rax    # limit
    je 1f
    shlq $4, %rcx
    addq heddleSiteEvents(%rip), %rcx
    movq (%rcx), %r11
    orq %rdi, %r11                          # user addresses have 47 bits
    movq %r11, (%rax)
    movq 8(%rcx), %r11
    orq heddleTraceCursor+16(%rip), %r11    # thread
    movq %r11, 8(%rax)
    addq $16, %rax
    movq %rax, heddleTraceCursor(%rip)
    popq %rcx
    .cfi_adjust_cfa_offset -8
    popq %rax
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_adjust_cfa_offset 16
1:
    popq %rcx
    .cfi_adjust_cfa_offset -8
    popq %rax
    .cfi_adjust_cfa_offset -8
    jmp heddleAccessSlowly
    .cfi_endproc
    .size __heddle_access, . - __heddle_access

    .section .note.GNU-stack, "", @progbits
