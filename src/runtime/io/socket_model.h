#pragma once

/// Sockets: calls that can block wait in virtual blocking (io_model.h). Addresses are read as
/// sockets get them, so that connections between two threads of the program are known as such.
