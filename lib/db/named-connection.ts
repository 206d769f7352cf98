import { asLost, codeOf, reasonOf } from './errors'

/** The server and database of an address, without its credentials. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`
}

/**
 * What `connecting` resolves to. A connection that fails names the setting and where its address leads, and keeps
 * the code of the error.
 */
export async function named<T>(variable: string, url: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting
  } catch (thrown) {
    const error = asLost(thrown)
    if (!(error instanceof Error) || !codeOf(error)) throw error
    // Of a name with several addresses there is no message.
    const reason = reasonOf(error)
    const message = `${variable} (${placeOf(url)}): ${reason === 'AggregateError' ? codeOf(error) : reason}`
    const { syscall } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(message, { cause: error }), { code: codeOf(error), syscall })
  }
}
