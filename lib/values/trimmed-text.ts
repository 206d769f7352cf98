import { z } from 'zod'

/**
 * A text that begins and ends with something visible. Names are refused rather than trimmed: what was
 * sent and what is stored would differ without anyone being told. Never longer than `max` characters.
 */
export const trimmedText = (
  { missing, max, tooLong }: { missing: string; max: number; tooLong: string },
  params?: Parameters<typeof z.string>[0],
) =>
  z
    .string(params)
    .refine((text) => text.trim() !== '', { error: missing, abort: true })
    .refine((text) => text === text.trim(), 'Must not begin or end with a space')
    .max(max, tooLong)
