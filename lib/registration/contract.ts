import { z } from 'zod'
import { strongPassword } from '@/lib/users/bodies'
import { email } from '@/lib/users/contract'
import { strictObject } from '@/lib/values/wire-types'
import { wordsFor } from '@/lib/values/words-for'

/** Longer than the token of any address. */
const MAX_TOKEN = 1024

export const registerBody = strictObject({ email })

export const confirmRegistrationBody = strictObject({
  token: z
    .string({ error: wordsFor('The token is missing', 'The token must be a text') })
    .min(1, 'The token is missing')
    .max(MAX_TOKEN, 'This is no token of ours'),
  password: strongPassword,
})
