import { parseExactJson } from '@/lib/values/exact-json'
import { ApiError, failure } from './client'
import { signInAgain, signInsSoFar } from './sign-in-again'

type Upload = {
  path: string
  form: FormData
  headers?: Record<string, string>
  /** Bytes sent so far, and in total. */
  onProgress?: (sent: number, total: number) => void
  signal?: AbortSignal
}

type Uploaded<T> = { status: number; body: T }

/**
 * POSTs a form and reports its progress, which `fetch` can't. Resolves with the status and JSON of
 * the response; throws `ApiError`, and an `AbortError` when `signal` aborts. An upload that meets an
 * ended session is sent again when the user has signed in.
 */
export async function upload<T>(task: Upload): Promise<Uploaded<T>> {
  const before = signInsSoFar()
  try {
    return await send<T>(task)
  } catch (error) {
    const isSignedOut = error instanceof ApiError && error.status === 401
    if (isSignedOut && (await signInAgain(false, before))) return send<T>(task)
    throw error
  }
}

function send<T>({ path, form, headers = {}, onProgress, signal }: Upload) {
  return new Promise<Uploaded<T>>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total)
    request.onerror = () =>
      reject(
        failure(
          0,
          { error: 'The upload was interrupted. Check the connection and try again.' },
          null,
        ),
      )
    request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
    request.onload = () => {
      const { status } = request
      const body = parse(request.responseText)
      if (status >= 200 && status < 300) resolve({ status, body: body as T })
      else reject(failure(status, body, request.getResponseHeader('x-request-id')))
    }
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
