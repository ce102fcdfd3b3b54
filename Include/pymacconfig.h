/* Empty: corrections of pyconfig.h for universal binaries of macOS. */
#ifndef PYMACCONFIG_H
#define PYMACCONFIG_H
#endif
