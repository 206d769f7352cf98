import { z } from 'zod'
import { instant, nameText, strictObject } from '@/lib/values/wire-types'
import { wordsFor } from '@/lib/values/words-for'

const MAX_KEY_CHARS = 1_000

/** Body of `POST /api/publishers`. */
export const createPublisherBody = strictObject({
  name: nameText(
    {
      missing: 'The publisher needs a name',
      max: 100,
      tooLong: 'A name has at most 100 characters',
    },
    { error: wordsFor('The name is missing', 'The name must be a text') },
  ),
  publicKey: z
    .string({ error: wordsFor('The public key is missing', 'The public key must be a text') })
    .max(MAX_KEY_CHARS, 'This is too long for a public key')
    .meta({ description: 'The line of its `.pub` file in base64, or the whole file' }),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'Must be a time such as 2030-01-31T12:00:00Z' })
    .transform((text) => new Date(text))
    .refine((date) => date.getTime() > Date.now(), 'Must be in the future')
    .nullish()
    .meta({ description: 'From when on the key is trusted no more' }),
})
export type CreatePublisher = z.infer<typeof createPublisherBody>

export const publisherParams = strictObject({ id: z.string() })

/** Somebody whose key is trusted to sign plugins. */
export const publisher = z
  .object({
    id: z.uuid(),
    name: z.string(),
    keyId: z.string().meta({ description: 'As minisign shows it' }),
    publicKey: z.string().meta({ description: 'In the form of minisign' }),
    expiresAt: instant.nullable(),
    expired: z.boolean(),
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'Engine.Publisher' })
export type Publisher = z.infer<typeof publisher>

const keyId = z.string().nullable().meta({ description: 'As minisign shows it' })

/** What was known of an archive's signature when it was planned or installed. */
export const installSignature = z
  .object({
    state: z.enum(['valid', 'expired', 'unknown', 'none', 'local']).meta({
      description:
        '`valid`: by a trusted key; `expired`: by one that was trusted until a time before; `unknown`: by a key that is not trusted here, so it was not verified; `none`: not signed; `local`: made on this server from what is installed',
    }),
    publisher: z.string().nullable().meta({ description: 'Whose key it is' }),
    keyId,
    warning: z.string().optional().meta({
      description: 'With `PLUGIN_SIGNATURES=warn`: what is to be known before it is installed',
    }),
    accepted: z
      .boolean()
      .optional()
      .meta({ description: 'An administrator accepted another key than the one before' }),
  })
  .meta({ id: 'Engine.InstallSignature' })

/** Who signed what is installed. */
export const signer = z.object({
  publisher: z.string(),
  keyId: z.string(),
  publicKey: z.string(),
})
