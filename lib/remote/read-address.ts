import { AppError } from '@/lib/errors'

const MAX_LENGTH = 2000
const WEB_PORTS = [80, 443]
/** Below are the ports of mail, databases and other services that a web server is not on. */
const FIRST_FREE_PORT = 1024

/** Parses the address of a file that a user gave. Throws `invalid_input`. */
export function readAddress(text: string): URL {
  if (text.length > MAX_LENGTH) throw refused(`Has more than ${MAX_LENGTH} characters`)
  if (!URL.canParse(text)) throw refused('Is no address; write it as https://example.com/image.png')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('Must begin with https:// or http://')
  if (url.username || url.password)
    throw refused('Must not contain a user name or password; choose an address without them')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (port < FIRST_FREE_PORT && !WEB_PORTS.includes(port))
    throw refused(`Port ${port} is not one of web servers`)
  return url
}

export const refused = (error: string) =>
  new AppError('invalid_input', `url: ${error}`, { validations: [{ field: 'url', error }] })
