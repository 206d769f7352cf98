import { AppError } from '@/lib/errors'

/** What `work` returns. A refusal that names no place in the request gets this one, as JSON pointer. */
export function located<T>(pointer: string | undefined, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw placed(pointer, error)
  }
}

/** The same of work that takes time. */
export const locatedLater = <T>(pointer: string | undefined, work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    throw placed(pointer, error)
  })

function placed(pointer: string | undefined, error: unknown): unknown {
  if (!(error instanceof AppError) || pointer === undefined) return error
  const { code, message, options } = error
  const isRefusal = code === 'forbidden' || code === 'conflict'
  if (!isRefusal || options.validations?.length) return error
  return new AppError(code, `${pointer}: ${message}`, {
    ...options,
    validations: [{ field: pointer, error: message }],
  })
}
