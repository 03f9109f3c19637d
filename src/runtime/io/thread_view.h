#pragma once

/// What the kernel shows of the program's threads in /proc: all of them are one for it.
namespace heddle::rt {

/// Whether the path is the list of the threads of this process.
bool isOwnTaskFolder(const char* path);
/// The program opens the path. Its own /proc/self/task shows one thread, which is remembered.
void noteThreadView(const char* path);
/// The folder that was opened is not read as the kernel shows it.
void forgetTaskView();
/// Where the path is the process's own status file: a descriptor of a copy that counts the
/// program's threads. -1: it is another file, or there is no descriptor.
int openStatusFile(const char* path);
/// The program has seen something that is not so without heddle, or null.
const char* misleadingView();

} // namespace heddle::rt
