/** Only `ACTIVATED` may sign in. */
export const USER_STATUSES = [
  'REQUIRED_ACTIVATION',
  'ACTIVATED',
  'REQUIRED_RESET_PASSWORD',
  'DISABLED',
] as const
export type UserStatus = (typeof USER_STATUSES)[number]
