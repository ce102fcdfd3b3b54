dnl pyconfig.h: what the system has, under the names that extensions test (those of
dnl CPython's). Ordinary autoconf checks, but a question that one compilation can answer
dnl for a whole list is put to it first: the answers go into the cache, where the check
dnl finds them. What a batch cannot answer is checked one by one.
dnl
dnl The file is made of confdefs.h, where autoconf collects its answers: with
dnl AC_CONFIG_HEADERS it would hold PACKAGE_NAME and the like, which are the extension's.

m4_define([SB_CONFIG_HEADERS], [m4_normalize([
  alloca.h asm/types.h bluetooth/bluetooth.h bzlib.h crypt.h curses.h db.h dirent.h
  dlfcn.h endian.h errno.h fcntl.h gdbm.h grp.h inttypes.h langinfo.h libintl.h
  linux/auxvec.h linux/can/bcm.h linux/can.h linux/can/j1939.h linux/can/raw.h
  linux/memfd.h linux/netlink.h linux/qrtr.h linux/random.h linux/soundcard.h
  linux/tipc.h linux/vm_sockets.h linux/wait.h ncurses.h netdb.h netinet/in.h
  netpacket/packet.h net/if.h poll.h pthread.h pty.h rpc/rpc.h sched.h setjmp.h
  shadow.h signal.h spawn.h stdint.h stdlib.h strings.h string.h sysexits.h syslog.h
  sys/auxv.h sys/epoll.h sys/eventfd.h sys/file.h sys/ioctl.h sys/mman.h sys/param.h
  sys/poll.h sys/random.h sys/resource.h sys/select.h sys/sendfile.h sys/socket.h
  sys/soundcard.h sys/statvfs.h sys/stat.h sys/syscall.h sys/sysmacros.h sys/times.h
  sys/time.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h sys/xattr.h
  termios.h term.h unistd.h utime.h utmp.h uuid.h wchar.h])])

m4_define([SB_CONFIG_FUNCS], [m4_normalize([
  accept accept4 acosh alarm asinh atanh bind bind_textdomain_codeset chmod chown
  chroot clock clock_getres clock_gettime clock_nanosleep clock_settime close_range
  confstr connect copy_file_range ctermid dirfd dlopen dup dup2 dup3 epoll_create1
  erf erfc eventfd execv explicit_bzero expm1 faccessat fchdir fchmod fchmodat
  fchown fchownat fdatasync fdopendir fexecve flock fork forkpty fpathconf fseeko
  fstatat fstatvfs fsync ftello ftime ftruncate futimens futimes futimesat
  gai_strerror getaddrinfo getc_unlocked getegid getentropy geteuid getgid getgrgid
  getgrgid_r getgrnam_r getgrouplist getgroups gethostbyaddr gethostbyname
  gethostbyname_r gethostname getitimer getloadavg getlogin getnameinfo getpagesize
  getpeername getpgid getpgrp getpid getppid getpriority getprotobyname getpwent
  getpwnam_r getpwuid getpwuid_r getrandom getresgid getresuid getrusage
  getservbyname getservbyport getsid getsockname getspent getspnam getuid getwd
  hstrerror if_nameindex inet_aton inet_ntoa inet_pton initgroups kill killpg lchown
  link linkat listen lockf log1p log2 login_tty lstat lutimes madvise mbrtowc
  memfd_create memrchr mkdirat mkfifo mkfifoat mknod mknodat mktime mmap mremap
  nanosleep nice openat opendir openpty pathconf pause pipe pipe2 poll posix_fadvise
  posix_fallocate posix_spawn posix_spawnp pread preadv preadv2 prlimit
  pthread_condattr_setclock pthread_getcpuclockid pthread_kill pthread_sigmask
  pwrite pwritev pwritev2 readlink readlinkat readv realpath recvfrom renameat
  sched_get_priority_max sched_rr_get_interval sched_setaffinity sched_setparam
  sched_setscheduler sem_clockwait sem_getvalue sem_open sem_timedwait sem_unlink
  sendfile sendto setegid seteuid setgid setgroups sethostname setitimer setlocale
  setpgid setpgrp setpriority setregid setresgid setresuid setreuid setsid
  setsockopt setuid setvbuf shm_open shm_unlink shutdown sigaction sigaltstack
  sigfillset siginterrupt sigpending sigrelse sigtimedwait sigwait sigwaitinfo
  snprintf socket socketpair splice statvfs strftime strsignal symlink symlinkat
  sync sysconf system tcgetpgrp tcsetpgrp tempnam timegm times tmpfile tmpnam
  tmpnam_r truncate ttyname umask uname unlinkat utimensat utimes vfork wait wait3
  wait4 waitid waitpid wcscoll wcsftime wcsxfrm wmemcmp writev])])

m4_define([SB_CONFIG_SIZES], [[
short, int, long, long long, void *, size_t, float, double, long double, _Bool, wchar_t,
off_t, fpos_t, pid_t, time_t, uintptr_t, pthread_t, pthread_key_t]])

m4_define([SB_SIZE_INCLUDES], [[
#include <stdint.h>
#include <stdio.h>
#include <stddef.h>
#include <time.h>
#include <wchar.h>
#include <sys/types.h>
#include <pthread.h>
]])

dnl Is there a file of that name? One run of the preprocessor tells.
AC_DEFUN([SB_SEED_HEADERS], [
for sb_header in SB_CONFIG_HEADERS; do
  sb_var=`AS_ECHO(["$sb_header"]) | sed 's/[[^a-z0-9]]/_/g'`
  cat <<SB_EOF
#if __has_include(<$sb_header>)
ac_cv_header_$sb_var=yes
#else
ac_cv_header_$sb_var=no
#endif
SB_EOF
done > conftest.c
eval "`$CC -E -P $CPPFLAGS conftest.c 2>/dev/null | grep '^ac_cv_header_'`"
rm -f conftest.c])

dnl Does a program with all of them link?
AC_DEFUN([SB_SEED_FUNCS], [
{ for sb_func in SB_CONFIG_FUNCS; do AS_ECHO(["char $sb_func(void);"]); done
  AS_ECHO(["char (*all[[]])(void) = {"])
  for sb_func in SB_CONFIG_FUNCS; do AS_ECHO(["$sb_func,"]); done
  AS_ECHO(["0}; int main(void) { return all[[0]] == 0; }"])
} > conftest.c
AS_IF([$CC -fno-builtin -w $CFLAGS $CPPFLAGS $LDFLAGS -o conftest conftest.c $LIBS >/dev/null 2>&1],
  [for sb_func in SB_CONFIG_FUNCS; do eval "ac_cv_func_$sb_func=yes"; done])
rm -f conftest conftest.c])

dnl A program that runs here prints them; a cross compiler's checks find out one by one.
AC_DEFUN([SB_SEED_SIZES], [
AS_IF([test "$cross_compiling" = no], [
AC_RUN_IFELSE([AC_LANG_PROGRAM([SB_SIZE_INCLUDES], [[FILE *f = fopen("conftest.sizes", "w");
]m4_foreach([sb_type], SB_CONFIG_SIZES,
  [[fprintf(f, "ac_cv_sizeof_]AS_TR_SH(m4_bpatsubst(sb_type, [\*], [p]))[=%d\n", (int)sizeof(]sb_type[));
]])[return fclose(f);]])], [. ./conftest.sizes], [], [:])
rm -f conftest.sizes])])

AC_DEFUN([SB_PYCONFIG], [
# What the C library has, whichever of its parts.
sb_saved_libs=$LIBS; LIBS="-lm -ldl -lpthread -lutil -lrt"
SB_SEED_HEADERS
AC_CHECK_HEADERS(SB_CONFIG_HEADERS)
SB_SEED_FUNCS
AC_CHECK_FUNCS(SB_CONFIG_FUNCS)
SB_SEED_SIZES
m4_foreach([sb_type], SB_CONFIG_SIZES, [AC_CHECK_SIZEOF(sb_type, [], SB_SIZE_INCLUDES)
])
AC_CHECK_ALIGNOF([long])
AC_CHECK_ALIGNOF([size_t])
AC_C_BIGENDIAN([AC_DEFINE([WORDS_BIGENDIAN], [1])
                AC_DEFINE([DOUBLE_IS_BIG_ENDIAN_IEEE754], [1])],
               [AC_DEFINE([DOUBLE_IS_LITTLE_ENDIAN_IEEE754], [1])],
               [AC_MSG_ERROR([the byte order of this machine is unknown])],
               [AC_MSG_ERROR([a universal binary has no single byte order])])

AC_CHECK_MEMBERS([struct stat.st_blksize, struct stat.st_blocks, struct stat.st_rdev,
                  struct passwd.pw_gecos, struct passwd.pw_passwd, struct tm.tm_zone], [], [], [[
#include <sys/types.h>
#include <sys/stat.h>
#include <pwd.h>
#include <time.h>
]])
AC_CHECK_MEMBER([struct stat.st_mtim.tv_nsec], [AC_DEFINE([HAVE_STAT_TV_NSEC], [1])], [],
                [[#include <sys/stat.h>]])
AC_CHECK_MEMBER([struct dirent.d_type], [AC_DEFINE([HAVE_DIRENT_D_TYPE], [1])], [],
                [[#include <dirent.h>]])
AC_CHECK_MEMBER([siginfo_t.si_band], [AC_DEFINE([HAVE_SIGINFO_T_SI_BAND], [1])], [],
                [[#include <signal.h>]])
AC_CHECK_TYPE([struct addrinfo], [AC_DEFINE([HAVE_ADDRINFO], [1])], [], [[#include <netdb.h>]])
AC_CHECK_TYPE([struct sockaddr_storage], [AC_DEFINE([HAVE_SOCKADDR_STORAGE], [1])], [],
              [[#include <sys/socket.h>]])
AC_CHECK_TYPE([struct sockaddr_alg], [AC_DEFINE([HAVE_SOCKADDR_ALG], [1])], [], [[
#include <sys/socket.h>
#include <linux/if_alg.h>
]])
AC_CHECK_TYPE([ssize_t], [AC_DEFINE([HAVE_SSIZE_T], [1])], [])
AC_CHECK_TYPE([__uint128_t], [AC_DEFINE([HAVE_GCC_UINT128_T], [1])], [])
AC_CHECK_DECLS([RTLD_LAZY, RTLD_NOW, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NODELETE, RTLD_NOLOAD,
                RTLD_DEEPBIND, RTLD_MEMBER], [], [], [[#include <dlfcn.h>]])
AC_CHECK_DECL([CAN_RAW_FD_FRAMES], [AC_DEFINE([HAVE_LINUX_CAN_RAW_FD_FRAMES], [1])], [],
              [[#include <linux/can/raw.h>]])
AC_CHECK_DECL([CAN_RAW_JOIN_FILTERS], [AC_DEFINE([HAVE_LINUX_CAN_RAW_JOIN_FILTERS], [1])], [],
              [[#include <linux/can/raw.h>]])
AC_CHECK_DECL([SYS_getrandom], [AC_DEFINE([HAVE_GETRANDOM_SYSCALL], [1])], [],
              [[#include <sys/syscall.h>]])
AC_CHECK_DECL([epoll_create], [AC_DEFINE([HAVE_EPOLL], [1])], [], [[#include <sys/epoll.h>]])
AC_CHECK_DECL([makedev], [AC_DEFINE([HAVE_MAKEDEV], [1]) AC_DEFINE([HAVE_DEVICE_MACROS], [1])
               AC_DEFINE([MAJOR_IN_SYSMACROS], [1])], [], [[#include <sys/sysmacros.h>]])
AC_CHECK_DECL([htole64], [AC_DEFINE([HAVE_HTOLE64], [1])], [], [[#include <endian.h>]])
AC_CHECK_DECL([crypt_r], [AC_DEFINE([HAVE_CRYPT_R], [1])], [], [[#include <crypt.h>]])
AC_CHECK_DECL([inflateCopy], [AC_DEFINE([HAVE_ZLIB_COPY], [1])], [], [[#include <zlib.h>]])
AC_CACHE_CHECK([for gethostbyname_r with six arguments], [sb_cv_gethostbyname_r],
  [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <netdb.h>]],
     [[struct hostent h, *r; char b[64]; int e; return gethostbyname_r("", &h, b, 64, &r, &e);]])],
     [sb_cv_gethostbyname_r=yes], [sb_cv_gethostbyname_r=no])])
AS_IF([test $sb_cv_gethostbyname_r = yes],
  [AC_DEFINE([HAVE_GETHOSTBYNAME_R], [1]) AC_DEFINE([HAVE_GETHOSTBYNAME_R_6_ARG], [1])])
LIBS=$sb_saved_libs
AS_IF([test -c /dev/ptmx], [AC_DEFINE([HAVE_DEV_PTMX], [1])])

# What every supported system and compiler has.
m4_foreach_w([sb_name], [HAVE_BUILTIN_ATOMIC HAVE_COMPUTED_GOTOS HAVE_DYNAMIC_LOADING
  HAVE_LONG_DOUBLE HAVE_PROTOTYPES HAVE_STDARG_PROTOTYPES HAVE_STD_ATOMIC HAVE_TM_ZONE
  HAVE_WORKING_TZSET PTHREAD_KEY_T_IS_COMPATIBLE_WITH_INT PTHREAD_SYSTEM_SCHED_SUPPORTED
  SYS_SELECT_WITH_SYS_TIME TIME_WITH_SYS_TIME ENABLE_IPV6], [AC_DEFINE(sb_name, [1])
])
AC_DEFINE([RETSIGTYPE], [void])
AS_CASE([$host_cpu], [x86_64],
  [AC_DEFINE([HAVE_GCC_ASM_FOR_X64], [1]) AC_DEFINE([HAVE_GCC_ASM_FOR_X87], [1])])

# What Springboard is built with.
m4_foreach_w([sb_name], [WITH_DOC_STRINGS WITH_FREELISTS WITH_DECIMAL_CONTEXTVAR
  PY_COERCE_C_LOCALE], [AC_DEFINE(sb_name, [1])
])
AC_DEFINE([PY_FORMAT_SIZE_T], ["z"])
AC_DEFINE([PY_BUILTIN_HASHLIB_HASHES], ["md5,sha1,sha256,sha512,sha3,blake2"])
AS_IF([test "$with_malloc" = blocks], [AC_DEFINE([WITH_PYMALLOC], [1])])
AS_IF([test "$dtrace" = yes], [AC_DEFINE([WITH_DTRACE], [1])])
AS_IF([test "x$enable_shared" = xyes], [AC_DEFINE([Py_ENABLE_SHARED], [1])])

AC_MSG_NOTICE([creating pyconfig.h])
# Names that the C library knows may have been defined with -D.
{ cat <<'SB_EOF'
/* What the system has and what Springboard was built with. Made by configure. */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

SB_EOF
  grep -E '^@%:@define (_|@<:@A-Z@:>@)' confdefs.h | grep -vE 'define (PACKAGE|__STDC_WANT)' \
    | LC_ALL=C sort -u \
    | sed -E 's/^@%:@define (_@<:@A-Z_@:>@*).*/@%:@ifndef \1\n&\n@%:@endif/'
  cat <<'SB_EOF'

#endif
SB_EOF
} > pyconfig.tmp
AS_IF([cmp -s pyconfig.tmp pyconfig.h], [rm pyconfig.tmp], [mv pyconfig.tmp pyconfig.h])
])
