const RETRY_SECONDS = 5

/** A page that stands in for all others while the database is away, and goes by itself when it is back. */
export function awayPage(nonce: string, headers: Record<string, string>): Response {
  return new Response(html(nonce), {
    status: 503,
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Retry-After': String(RETRY_SECONDS),
    },
  })
}

const html = (nonce: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<noscript><meta http-equiv="refresh" content="${RETRY_SECONDS}"></noscript>
<title>Engine is not available</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { display: grid; place-items: center; min-height: 100dvh; margin: 0 }
main { max-width: 26rem; padding: 2rem; text-align: center }
h1 { font-size: 1.25rem; margin: 0 0 .5rem }
p { margin: 0; opacity: .75 }
</style>
</head>
<body>
<main role="status">
<h1>Engine is not available</h1>
<p>Its database does not answer. This page tries again by itself and shows what you asked for as soon as it can.</p>
</main>
<script nonce="${nonce}">
setInterval(async () => {
  const answer = await fetch('/api/health/ready').catch(() => null)
  if (answer && answer.ok) location.reload()
}, 2000)
</script>
</body>
</html>
`
