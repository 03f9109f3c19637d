# The hooks of accesses, and what all calls into the runtime begin with.
#
# While a plain trace is recorded __heddle_access is called for every access of the program, so its fast
# path is written by hand: one register saved, no call. All else is a jump to heddleAccessSlowly, which
# has the same convention (preserve_most: only %r11 may be lost). The other hooks are jumps, too; on the
# way the registers of the program are captured while they are wanted (caller_state.h).

    .text

    .set caller_wanted, 0
    .set caller_entry, 8
    .set caller_sp, 16
    .set caller_kept, 24
    .set caller_others, 72
    .set entry_hook, 1
    .set entry_function, 2

# Loses %r11 only.
.macro capture_kept entry
    movq $\entry, heddleCaller+caller_entry(%rip)
    leaq 8(%rsp), %r11
    movq %r11, heddleCaller+caller_sp(%rip)
    movq %rbx, heddleCaller+caller_kept(%rip)
    movq %rbp, heddleCaller+caller_kept+8(%rip)
    movq %r12, heddleCaller+caller_kept+16(%rip)
    movq %r13, heddleCaller+caller_kept+24(%rip)
    movq %r14, heddleCaller+caller_kept+32(%rip)
    movq %r15, heddleCaller+caller_kept+40(%rip)
.endm

.macro capture_others
    movq %rax, heddleCaller+caller_others(%rip)
    movq %rcx, heddleCaller+caller_others+8(%rip)
    movq %rdx, heddleCaller+caller_others+16(%rip)
    movq %rsi, heddleCaller+caller_others+24(%rip)
    movq %rdi, heddleCaller+caller_others+32(%rip)
    movq %r8, heddleCaller+caller_others+40(%rip)
    movq %r9, heddleCaller+caller_others+48(%rip)
    movq %r10, heddleCaller+caller_others+56(%rip)
.endm

.macro enter_hook body
    cmpb $0, heddleCaller+caller_wanted(%rip)
    je \body
    capture_kept entry_hook
    capture_others
    jmp \body
.endm

# void __heddle_access(const void* address, const SiteSlot* site)
    .globl __heddle_access
    .type __heddle_access, @function
    .p2align 4
__heddle_access:
    .cfi_startproc
    pushq %rax
    .cfi_adjust_cfa_offset 8
    movq 8(%rsi), %r11                      # kind
    testq %r11, %r11                        # kSlowSlot, kThinnedSlot
    js 2f
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
2:
    cmpq $-1, %r11                          # kSlowSlot
    je 1f
    btq $61, %r11                           # kThinnedRecorded
    jc 3f
    movl %r11d, %r11d                       # number of the site
    movq heddleSkips(%rip), %rax
    subl $1, (%rax, %r11, 4)
    js 1f
    popq %rax
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_adjust_cfa_offset 8
3:
    movl %r11d, %r11d
    movq heddleSkips(%rip), %rax
    subl $1, (%rax, %r11, 4)
1:
    popq %rax
    .cfi_adjust_cfa_offset -8
    enter_hook heddleAccessSlowly
    .cfi_endproc
    .size __heddle_access, . - __heddle_access

.macro hook name, body
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    enter_hook \body
    .cfi_endproc
    .size \name, . - \name
.endm

# void __heddle_atomic(const void* address, const SiteSlot* site, uint32_t orders, uint64_t expected)
    .globl __heddle_atomic
    .type __heddle_atomic, @function
    .p2align 4
__heddle_atomic:
    .cfi_startproc
    movq 8(%rsi), %r11                      # kind
    testq %r11, %r11                        # kSlowSlot, kThinnedSlot
    jns 1f
    cmpq $-1, %r11                          # kSlowSlot
    je 1f
    pushq %rax
    .cfi_adjust_cfa_offset 8
    movl %r11d, %eax                        # number of the site
    btq $61, %r11                           # kThinnedRecorded
    movq heddleSkips(%rip), %r11
    jc 3f
    subl $1, (%r11, %rax, 4)
    popq %rax
    .cfi_adjust_cfa_offset -8
    js 1f
    ret
3:
    .cfi_adjust_cfa_offset 8
    subl $1, (%r11, %rax, 4)
    popq %rax
    .cfi_adjust_cfa_offset -8
1:
    enter_hook heddleAtomic
    .cfi_endproc
    .size __heddle_atomic, . - __heddle_atomic

    hook __heddle_range, heddleRange
    hook __heddle_spin, heddleSpin

# Where the stub of an interposed function goes while registers are wanted. The function's body is in
# %r11; no call has an argument there or in %r10.
    .globl heddleEnterFunction
    .hidden heddleEnterFunction
    .type heddleEnterFunction, @function
heddleEnterFunction:
    .cfi_startproc
    movq %r11, %r10
    capture_kept entry_function
    jmp *%r10
    .cfi_endproc
    .size heddleEnterFunction, . - heddleEnterFunction

# void heddleScrub(): everything below the return address, for 4 KB.
    .globl heddleScrub
    .hidden heddleScrub
    .type heddleScrub, @function
heddleScrub:
    .cfi_startproc
    leaq -4096(%rsp), %rdi
    movl $512, %ecx
    xorl %eax, %eax
    rep stosq
    ret
    .cfi_endproc
    .size heddleScrub, . - heddleScrub

    .section .note.GNU-stack, "", @progbits
