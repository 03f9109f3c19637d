# Switching between fibers. A saved context is a stack pointer; below it lie the floating-point
# control words and the callee-saved registers.

    .text

# void heddleSwitch(void** save, void* to)
    .globl heddleSwitch
    .hidden heddleSwitch
    .type heddleSwitch, @function
heddleSwitch:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    pushq %r12
    .cfi_adjust_cfa_offset 8
    pushq %r13
    .cfi_adjust_cfa_offset 8
    pushq %r14
    .cfi_adjust_cfa_offset 8
    pushq %r15
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    popq %r14
    .cfi_adjust_cfa_offset -8
    popq %r13
    .cfi_adjust_cfa_offset -8
    popq %r12
    .cfi_adjust_cfa_offset -8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    popq %rbp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size heddleSwitch, . - heddleSwitch

# void heddlePark(void** save, int* gone)
# Saves the context as heddleSwitch does, then ends the OS thread without touching the stack again.
# The kernel clears *gone when the thread is gone; whoever switches to the saved context later
# returns from this call.
    .globl heddlePark
    .hidden heddlePark
    .type heddlePark, @function
heddlePark:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    pushq %r12
    .cfi_adjust_cfa_offset 8
    pushq %r13
    .cfi_adjust_cfa_offset 8
    pushq %r14
    .cfi_adjust_cfa_offset 8
    pushq %r15
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsi, %rdi
    movl $218, %eax             # set_tid_address
    syscall
    movl $60, %eax              # exit
    xorl %edi, %edi
    syscall
    hlt
    .cfi_endproc
    .size heddlePark, . - heddlePark

    .section .note.GNU-stack, "", @progbits
