import type { FileDetail } from '@/lib/definitions/definition-faults'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import { AppError, type Validation } from '@/lib/errors'
import type { Json } from '@/lib/values/json'
import { parsePolicy } from './parse-policy'

/** Throws `invalid_input`. */
export function readDefinition(body: object): PolicyDefinition {
  const parsed = parsePolicy(body as Json)
  if ('definition' in parsed) return parsed.definition
  throw refused(parsed.faults.map(toValidation))
}

const toValidation = ({ pointer = '', message }: FileDetail): Validation => ({
  field: pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~'),
  error: message,
})

export function refused(validations: Validation[]): AppError {
  const [first] = validations
  const more = validations.length > 1 ? ` (and ${validations.length - 1} more)` : ''
  const message = `${first?.field}: ${first?.error}${more}`
  return new AppError('invalid_input', message, { validations })
}
