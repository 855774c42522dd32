/**
 * uWebSockets.js reads its limit of header bytes from the environment when it is loaded, so this file must be
 * imported first. 16 KB leave room for a URL of 8 KB and for the headers of proxies (the library's default is
 * 4 KB).
 */
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(16 * 1024);
