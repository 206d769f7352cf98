import bowser from 'bowser'

/** What a browser says it is: `Firefox on Windows`. Anyone can send anything as its name. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = parse(userAgent)
  if (browser && os) return `${browser} on ${os}`
  // Of other programs the first word, such as `curl`: the rest could be a message to the reader.
  return browser || os || /^[a-z][a-z-]{0,30}/i.exec(userAgent)?.[0] || 'Unknown device'
}

function parse(userAgent: string): { browser?: string; os?: string } {
  const parser = bowser.getParser(userAgent)
  return { browser: parser.getBrowserName() || undefined, os: parser.getOSName() || undefined }
}
