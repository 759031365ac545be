#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// The system's libcurl, opened when it is needed: nothing links it, and no header of it is needed to build.

#if __has_feature(nullability)
#pragma clang assume_nonnull begin
#endif

// Several requests at once on one thread.
typedef struct subreport_curl subreport_curl;

// Opens the library. Returns 0, or -1 when no libcurl.so.4 has all functions.
int subreport_curl_load(void);

subreport_curl *_Nullable subreport_curl_new(int connections);
void subreport_curl_free(subreport_curl *curl);

typedef struct {
  const char *url;
  // A body makes it a POST.
  const char *_Nullable body;
  // Lines such as "Accept: text/plain"; ends in NULL.
  const char *_Nullable const *_Nonnull headers;
  // The file that gets the body of the answer.
  int file;
  const char *_Nullable ca_file;
  // Whether to use HTTP/1.1 alone.
  int is_http1;
  // Whether http is possible beside https: on loopback addresses only.
  int allows_plain;
  int64_t most_bytes;
} subreport_curl_request;

// Starts a request; returns 0, or an error of libcurl. The request is copied, but for the file.
int subreport_curl_start(subreport_curl *curl, int id, const subreport_curl_request *request);

typedef struct {
  int id;
  // The error of libcurl, 0 for an answer.
  int code;
  long status;
  // The header lines of the last answer, each with its line end.
  const char *_Nullable headers;
  size_t header_count;
  int64_t received;
  // The length that the answer announced; -1 for none.
  int64_t announced;
  // errno of a failed write to the file; 0 for none.
  int write_error;
  // The status with which a proxy answered the request for a tunnel; 0 without one.
  long tunnel_status;
  char message[256];
} subreport_curl_answer;

// Waits for an answer; returns 1 with one, 0 after the time. Its headers are valid until the next call.
int subreport_curl_next(subreport_curl *curl, int milliseconds, subreport_curl_answer *answer);

// Finds who issued the certificate of a server, without a request to it; returns 0 with a text.
int subreport_curl_issuer(const char *url, char *text, size_t size);

#if __has_feature(nullability)
#pragma clang assume_nonnull end
#endif

#endif
