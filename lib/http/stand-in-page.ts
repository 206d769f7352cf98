/** A page shown instead of one that is unavailable, which reloads by itself. */
export const standInPage = ({
  text,
  refresh,
  script = '',
}: {
  text: string
  /** The tag that makes the browser reload. */
  refresh: string
  script?: string
}) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh}
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
<p>${text}</p>
</main>
${script}</body>
</html>
`
