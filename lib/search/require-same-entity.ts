import { AppError } from '@/lib/errors'

/** Throws `invalid_input` when a body names another entity than the address. */
export function requireSameEntity(inBody: string | undefined, inPath: string): void {
  if (inBody === undefined || inBody === inPath) return
  const error = `must be ${JSON.stringify(inPath)}, as in the address`
  throw new AppError('invalid_input', `entity: ${error}`, {
    validations: [{ field: 'entity', error }],
  })
}
