import { dictionary } from '@zxcvbn-ts/language-common'
import { z } from 'zod'
import { strictObject } from '@/lib/values/wire-types'
import { wordsFor } from '@/lib/values/words-for'
import { email, PASSWORD_MIN, password, profile, roles, userStatus } from './contract'

let common: Set<string> | undefined
/** A repeated character: the list has only some lengths. */
const REPEATED = /^(.)\1*$/su

/** Whether the password is commonly used (case-insensitive). The list is unpacked on first use. */
function isCommon(text: string): boolean {
  common ??= new Set(dictionary['passwords-common'].filter((entry) => entry.length >= PASSWORD_MIN))
  const normal = text.normalize('NFKC').toLowerCase()
  return common.has(normal) || REPEATED.test(normal)
}

/** A password that a person may choose: long enough and not commonly used (NIST 800-63B). */
export const strongPassword = password.refine(
  (text) => !isCommon(text),
  'This is one of the most used passwords; choose another',
)

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
