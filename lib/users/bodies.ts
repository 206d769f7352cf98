import { z } from 'zod'
import { strictObject } from '@/lib/values/strict-object'
import { wordsFor } from '@/lib/values/words-for'
import { email, profile, roles, userStatus } from './contract'
import { strongPassword } from './strong-password'

/** Bodies of requests, with the password rule whose list is too long for a browser. */

export const setUpBody = strictObject({ email, password: strongPassword })

const initialUser = { email, roles, profile }

/** With `generatePassword`, a password in the body is ignored, even an invalid one. */
export const initUserBody = (generatesPassword: boolean) =>
  strictObject({
    ...initialUser,
    password: generatesPassword
      ? z
          .unknown()
          .transform(() => null)
          .optional()
      : strongPassword.nullish(),
  })

export const updateUserBody = strictObject({
  roles,
  profile,
  status: userStatus,
  password: strongPassword,
})
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'There is nothing to change')

export const changePasswordBody = strictObject({
  currentPassword: z
    .string({ error: wordsFor('The current password is missing', 'It must be a text') })
    .max(1024, 'This is too long for a password'),
  newPassword: strongPassword,
})

// Of links. The length limit prevents hashing of large texts.
const token = z
  .string({ error: wordsFor('The token is missing', 'The token must be a text') })
  .min(1, 'The token is missing')
  .max(256, 'This is no token of ours')

export const activateAccountBody = strictObject({ token })
export const forgetPasswordBody = strictObject({ email })
export const resetPasswordBody = strictObject({ token, password: strongPassword })
