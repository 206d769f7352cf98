import { AppError, type Validation } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import { unknownName } from '@/lib/values/unknown-name'

/** Collects the faults of an input to report them together: the first 100, and their number. */
export class SearchFaults {
  private readonly found: Validation[] = []
  private count = 0

  /** `error` is only called when its result is kept. */
  add(field: string, error: string | (() => string)): void {
    if (this.count++ >= MAX_TOLD) return
    this.found.push({ field, error: typeof error === 'string' ? error : error() })
  }

  /** Adds the keys of the object at `path` that are not `known`. */
  addUnknown(object: JsonObject, known: readonly string[], path: string): void {
    for (const key of Object.keys(object))
      if (!known.includes(key))
        this.add(`${path}.${key}`, () => unknownName('property', key, known))
  }

  get isEmpty(): boolean {
    return this.count === 0
  }

  /** Where they are; of the first 100. */
  get paths(): string[] {
    return this.found.map(({ field }) => field)
  }

  /** Throws `invalid_input` when anything was added. */
  throwIfAny(): void {
    const [first] = this.found
    if (!first) return
    const more = this.count > 1 ? ` (and ${this.count - 1} more)` : ''
    throw new AppError('invalid_input', `${first.field}: ${first.error}${more}`, {
      validations: this.found,
      meta: this.count > MAX_TOLD ? { validationCount: this.count } : {},
    })
  }
}

const MAX_TOLD = 100
