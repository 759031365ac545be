#include "CCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The numbers are part of libcurl's binary interface, which has not changed them since 2000: include/curl/curl.h.
enum {
  WRITEDATA = 10001, URL = 10002, ERRORBUFFER = 10010, COPYPOSTFIELDS = 10165, HTTPHEADER = 10023,
  HEADERDATA = 10029, CAINFO = 10065, PRIVATE = 10103, WRITEFUNCTION = 20011, HEADERFUNCTION = 20079,
  MAXFILESIZE_LARGE = 30117, TIMEOUT = 13, LOW_SPEED_LIMIT = 19, LOW_SPEED_TIME = 20, FOLLOWLOCATION = 52,
  POSTFIELDSIZE = 60, SSL_VERIFYPEER = 64, CONNECTTIMEOUT = 78, SSL_VERIFYHOST = 81, HTTP_VERSION = 84, NOSIGNAL = 99,
  CONNECT_ONLY = 141, CERTINFO = 172, PROTOCOLS = 181, PIPEWAIT = 237,
  INFO_STATUS = 0x200002, INFO_PRIVATE = 0x100015, INFO_CERTINFO = 0x400022, INFO_LENGTH = 0x60000f, INFO_TUNNEL = 0x200016,
  MULTI_PIPELINING = 3, MULTI_HOST_CONNECTIONS = 7,
  HTTP_1_1 = 2, HTTP_2_TLS = 4, DONE = 1, WRITE_ERROR = 23,
};

struct slist { char *data; struct slist *next; };
struct certinfo { int count; struct slist **certificates; };
struct message { int kind; void *easy; union { void *any; int result; } data; };

static struct {
  int (*global_init)(long);
  void *(*easy_init)(void);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  int (*easy_perform)(void *);
  void (*easy_cleanup)(void *);
  const char *(*easy_strerror)(int);
  void *(*multi_init)(void);
  int (*multi_setopt)(void *, int, ...);
  int (*multi_add_handle)(void *, void *);
  int (*multi_remove_handle)(void *, void *);
  int (*multi_perform)(void *, int *);
  int (*multi_poll)(void *, void *, unsigned, int, int *);
  struct message *(*multi_info_read)(void *, int *);
  int (*multi_cleanup)(void *);
  struct slist *(*slist_append)(struct slist *, const char *);
  void (*slist_free_all)(struct slist *);
} api;

int subreport_curl_load(void) {
  static int state = 1;
  if (state <= 0) return state;
  state = -1;
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
  if (!library) return state;
#define FIND(name) if (!(*(void **)&api.name = dlsym(library, "curl_" #name))) return state
  FIND(global_init); FIND(easy_init); FIND(easy_setopt); FIND(easy_getinfo); FIND(easy_perform); FIND(easy_cleanup);
  FIND(easy_strerror); FIND(multi_init); FIND(multi_setopt); FIND(multi_add_handle); FIND(multi_remove_handle);
  FIND(multi_perform); FIND(multi_poll); FIND(multi_info_read); FIND(multi_cleanup); FIND(slist_append);
  FIND(slist_free_all);
#undef FIND
  if (api.global_init(3)) return state;
  return state = 0;
}

struct exchange {
  void *easy;
  struct slist *headers;
  struct exchange *next;
  char *text;
  size_t count;
  int64_t received, most;
  int id, file, write_error;
  char message[256];
};

struct subreport_curl {
  void *multi;
  struct exchange *running;
  // The exchange of the last answer, which owns its headers.
  struct exchange *last;
};

static void end(struct exchange *exchange) {
  if (!exchange) return;
  api.easy_cleanup(exchange->easy);
  api.slist_free_all(exchange->headers);
  free(exchange->text);
  free(exchange);
}

subreport_curl *subreport_curl_new(int connections) {
  subreport_curl *curl = calloc(1, sizeof *curl);
  if (!curl || !(curl->multi = api.multi_init())) { free(curl); return NULL; }
  api.multi_setopt(curl->multi, MULTI_HOST_CONNECTIONS, (long)connections);
  api.multi_setopt(curl->multi, MULTI_PIPELINING, 2L);
  return curl;
}

void subreport_curl_free(subreport_curl *curl) {
  while (curl->running) {
    struct exchange *exchange = curl->running;
    curl->running = exchange->next;
    api.multi_remove_handle(curl->multi, exchange->easy);
    end(exchange);
  }
  end(curl->last);
  api.multi_cleanup(curl->multi);
  free(curl);
}

static size_t keep_body(char *bytes, size_t size, size_t count, void *context) {
  struct exchange *exchange = context;
  size_t length = size * count, done = 0;
  // libcurl compares only a length that was announced.
  if (exchange->received + (int64_t)length > exchange->most) return 0;
  while (done < length) {
    ssize_t written = write(exchange->file, bytes + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) { exchange->write_error = errno; return 0; }
    done += (size_t)written;
  }
  exchange->received += (int64_t)length;
  return length;
}

static size_t keep_header(char *bytes, size_t size, size_t count, void *context) {
  struct exchange *exchange = context;
  size_t length = size * count;
  // A new status line: the lines so far were of a proxy, or of a preliminary answer.
  if (length >= 5 && !memcmp(bytes, "HTTP/", 5)) exchange->count = 0;
  if (exchange->count + length > 65536) return length;
  char *text = realloc(exchange->text, exchange->count + length + 1);
  if (!text) return 0;
  memcpy(text + exchange->count, bytes, length);
  exchange->text = text;
  exchange->count += length;
  return length;
}

int subreport_curl_start(subreport_curl *curl, int id, const subreport_curl_request *request) {
  struct exchange *exchange = calloc(1, sizeof *exchange);
  if (!exchange) return 27;
  void *easy = exchange->easy = api.easy_init();
  if (!easy) { free(exchange); return 27; }
  exchange->id = id;
  exchange->file = request->file;
  exchange->most = request->most_bytes;
  for (const char *const *line = (const char *const *)request->headers; *line; line++) {
    struct slist *list = api.slist_append(exchange->headers, *line);
    if (!list) { end(exchange); return 27; }
    exchange->headers = list;
  }
  api.easy_setopt(easy, URL, request->url);
  api.easy_setopt(easy, PRIVATE, exchange);
  api.easy_setopt(easy, HTTPHEADER, exchange->headers);
  api.easy_setopt(easy, WRITEFUNCTION, keep_body);
  api.easy_setopt(easy, WRITEDATA, exchange);
  api.easy_setopt(easy, HEADERFUNCTION, keep_header);
  api.easy_setopt(easy, HEADERDATA, exchange);
  api.easy_setopt(easy, ERRORBUFFER, exchange->message);
  api.easy_setopt(easy, NOSIGNAL, 1L);
  api.easy_setopt(easy, FOLLOWLOCATION, 0L);
  api.easy_setopt(easy, PROTOCOLS, request->allows_plain ? 3L : 2L);
  api.easy_setopt(easy, CONNECTTIMEOUT, 20L);
  api.easy_setopt(easy, LOW_SPEED_LIMIT, 1000L);
  api.easy_setopt(easy, LOW_SPEED_TIME, 60L);
  api.easy_setopt(easy, TIMEOUT, 300L);
  api.easy_setopt(easy, MAXFILESIZE_LARGE, request->most_bytes);
  api.easy_setopt(easy, HTTP_VERSION, request->is_http1 ? (long)HTTP_1_1 : (long)HTTP_2_TLS);
  api.easy_setopt(easy, PIPEWAIT, 1L);
  if (request->ca_file) api.easy_setopt(easy, CAINFO, request->ca_file);
  if (request->body) {
    api.easy_setopt(easy, POSTFIELDSIZE, (long)strlen(request->body));
    api.easy_setopt(easy, COPYPOSTFIELDS, request->body);
  }
  int error = api.multi_add_handle(curl->multi, easy);
  if (error) { end(exchange); return error; }
  exchange->next = curl->running;
  curl->running = exchange;
  return 0;
}

int subreport_curl_next(subreport_curl *curl, int milliseconds, subreport_curl_answer *answer) {
  end(curl->last);
  curl->last = NULL;
  for (int round = 0; round < 2; round++) {
    int running = 0, left = 0;
    api.multi_perform(curl->multi, &running);
    struct message *message;
    while ((message = api.multi_info_read(curl->multi, &left))) {
      if (message->kind != DONE) continue;
      int code = message->data.result;
      struct exchange *exchange = NULL;
      api.easy_getinfo(message->easy, INFO_PRIVATE, &exchange);
      memset(answer, 0, sizeof *answer);
      answer->announced = -1;
      api.easy_getinfo(exchange->easy, INFO_STATUS, &answer->status);
      api.easy_getinfo(exchange->easy, INFO_LENGTH, &answer->announced);
      api.easy_getinfo(exchange->easy, INFO_TUNNEL, &answer->tunnel_status);
      answer->id = exchange->id;
      answer->code = code;
      answer->headers = exchange->text ? exchange->text : "";
      answer->header_count = exchange->text ? exchange->count : 0;
      answer->received = exchange->received;
      answer->write_error = code == WRITE_ERROR ? exchange->write_error : 0;
      const char *text = exchange->message[0] || !code ? exchange->message : api.easy_strerror(code);
      snprintf(answer->message, sizeof answer->message, "%s", text);
      api.multi_remove_handle(curl->multi, exchange->easy);
      for (struct exchange **link = &curl->running; *link; link = &(*link)->next) {
        if (*link == exchange) { *link = exchange->next; break; }
      }
      curl->last = exchange;
      return 1;
    }
    if (round == 0) api.multi_poll(curl->multi, NULL, 0, milliseconds, NULL);
  }
  return 0;
}

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes, (void)context;
  return size * count;
}

int subreport_curl_issuer(const char *url, char *text, size_t size) {
  void *easy = api.easy_init();
  if (!easy) return -1;
  api.easy_setopt(easy, URL, url);
  api.easy_setopt(easy, WRITEFUNCTION, drop);
  api.easy_setopt(easy, NOSIGNAL, 1L);
  api.easy_setopt(easy, CONNECTTIMEOUT, 20L);
  api.easy_setopt(easy, TIMEOUT, 20L);
  api.easy_setopt(easy, CONNECT_ONLY, 1L);
  api.easy_setopt(easy, CERTINFO, 1L);
  // Only the handshake: nothing is sent to a server that is not trusted.
  api.easy_setopt(easy, SSL_VERIFYPEER, 0L);
  api.easy_setopt(easy, SSL_VERIFYHOST, 0L);
  api.easy_setopt(easy, PROTOCOLS, 2L);
  int found = -1;
  struct certinfo *chain = NULL;
  if (!api.easy_perform(easy) && !api.easy_getinfo(easy, INFO_CERTINFO, &chain) && chain && chain->count > 0) {
    for (struct slist *line = chain->certificates[chain->count - 1]; line; line = line->next) {
      if (strncmp(line->data, "Issuer:", 7)) continue;
      snprintf(text, size, "%s", line->data + 7);
      found = 0;
    }
  }
  api.easy_cleanup(easy);
  return found;
}
