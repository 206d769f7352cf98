import { z } from 'zod'
import { unknownName } from './unknown-name'

/** Unknown keys that the error names: the search for the nearest name takes time. */
const MAX_NAMED = 100

/** `z.strictObject` whose error about an unknown key names the nearest known one. */
export const strictObject = <Fields extends z.core.$ZodLooseShape>(shape: Fields) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, MAX_NAMED)
            .map((key) => unknownName('property', key, Object.keys(shape)))
            .join('\n')
        : undefined,
  })
