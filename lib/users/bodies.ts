import { z } from 'zod'
import { email, profile, roles, userStatus } from './contract'
import { strongPassword } from './strong-password'

/** Bodies of requests, with the rule on passwords that needs a list too long for a browser. */

export const setUpBody = z.strictObject({ email, password: strongPassword })

const initialUser = { email, roles, profile }

/** With `generatePassword` a password in the body means nothing, whatever it is. */
export const initUserBody = (generatesPassword: boolean) =>
  z.strictObject({
    ...initialUser,
    password: generatesPassword
      ? z
          .unknown()
          .transform(() => null)
          .optional()
      : strongPassword.nullish(),
  })

export const updateUserBody = z
  .strictObject({ roles, profile, status: userStatus, password: strongPassword })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'There is nothing to change')

export const changePasswordBody = z.strictObject({
  currentPassword: z.string('The current password is missing').max(1024),
  newPassword: strongPassword,
})

// Of links: the length is checked so that nothing large is hashed.
const token = z.string('The token is missing').min(1, 'The token is missing').max(256)

export const activateAccountBody = z.strictObject({ token })
export const forgetPasswordBody = z.strictObject({ email })
export const resetPasswordBody = z.strictObject({ token, password: strongPassword })
