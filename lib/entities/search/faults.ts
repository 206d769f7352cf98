import { AppError, type Validation } from '@/lib/errors'

/** Collects what is wrong with an input, so that every fault is told at once. */
export class Faults {
  private readonly found: Validation[] = []

  add(field: string, error: string): void {
    this.found.push({ field, error })
  }

  /** Throws `invalid_input` when anything was added. */
  throwIfAny(): void {
    const [first] = this.found
    if (!first) return
    const more = this.found.length > 1 ? ` (and ${this.found.length - 1} more)` : ''
    throw new AppError('invalid_input', `${first.field}: ${first.error}${more}`, {
      validations: this.found.slice(0, MAX_TOLD),
    })
  }
}

const MAX_TOLD = 100
