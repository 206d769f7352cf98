import { z } from 'zod'

export const testedProvider = z
  .object({
    provider: z.string().meta({ description: 'Its name in the settings' }),
    reachable: z.boolean(),
    answer: z.string().meta({
      description: 'What was found, in one sentence',
      examples: ['https://login.example.com is reached, and signs with 2 keys'],
    }),
  })
  .meta({ id: 'Engine.TestedProvider' })
export type TestedProvider = z.infer<typeof testedProvider>

/** Any text: one that is no provider's name is `not_found`. */
export const providerParams = z.strictObject({ provider: z.string() })
