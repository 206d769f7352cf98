import type { z } from 'zod'
import { AppError, type Validation } from '@/lib/errors'

/** The most validations in a response; beyond that it states their number. */
export const MAX_VALIDATIONS = 100

/** Collects the validations of a request: the first `MAX_VALIDATIONS`, and the number of all. */
export class InputFaults {
  readonly #validations: Validation[] = []
  #count = 0
  #cause: unknown

  /** The checked value, or undefined when it is invalid; its validations are collected. */
  take<T>(result: z.ZodSafeParseResult<T>): T | undefined {
    if (result.success) return result.data
    this.addIssues(result.error)
    return undefined
  }

  add(validation: Validation, cause?: unknown): void {
    this.#cause ??= cause
    if (this.#count++ < MAX_VALIDATIONS) this.#validations.push(validation)
  }

  addIssues(error: z.ZodError): void {
    this.#cause ??= error
    for (const issue of error.issues) {
      if (issue.code === 'unrecognized_keys') this.#addKeys(issue)
      else this.add({ field: issue.path.join('.'), error: issue.message })
    }
  }

  #addKeys({ path, keys, message }: z.core.$ZodIssueUnrecognizedKeys): void {
    // `strictObject` has a line per unknown key, with the nearest known one.
    const lines = message.startsWith('Unknown') ? message.split('\n') : []
    keys.slice(0, MAX_VALIDATIONS).forEach((key, index) => {
      const error = lines[index] ?? `Unknown property "${key}"`
      this.add({ field: [...path, key].join('.'), error })
    })
    this.#count += Math.max(0, keys.length - MAX_VALIDATIONS)
  }

  /** `invalid_input` that names them all; null when there are none. */
  toError(): AppError | null {
    const [first] = this.#validations
    if (!first) return null
    const more = this.#count > 1 ? ` (and ${this.#count - 1} more)` : ''
    const message = `${first.field ? `${first.field}: ` : ''}${first.error}${more}`
    const meta = this.#count > MAX_VALIDATIONS ? { validationCount: this.#count } : {}
    const validations = this.#validations
    return new AppError('invalid_input', message, { validations, meta, cause: this.#cause })
  }

  throwIfAny(): void {
    const error = this.toError()
    if (error) throw error
  }
}

/** Names every invalid field. */
export function invalidInput(error: z.ZodError): AppError {
  const faults = new InputFaults()
  faults.addIssues(error)
  return (
    faults.toError() ?? new AppError('invalid_input', 'The request is not valid', { cause: error })
  )
}
