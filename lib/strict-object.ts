import { z } from 'zod'
import { unknownName } from './unknown-name'

/** `z.strictObject` whose complaint about an unknown key names the nearest known one. */
export const strictObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownName('property', key, Object.keys(shape))).join('\n')
        : undefined,
  })
