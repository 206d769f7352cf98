/** Why a sign-in by a provider was refused, and what the sign-in page says about it: one sentence, never a text from outside. */
export const PROVIDER_REFUSALS = {
  OidcAway: 'The sign-in provider can’t be reached; try again in a moment, or sign in another way.',
  OidcDenied: 'The provider did not sign you in; try again, or ask its administrator for access.',
  OidcExpired:
    'This sign-in has expired, was used before or was begun in another browser; begin again.',
  OidcInvalid:
    'What the provider sent could not be verified; try again, or tell an administrator, who finds the reason in the log.',
  OidcTooMany: 'Too many sign-ins were begun from your network; try again in a few minutes.',
  OidcNoEmail: 'The provider did not tell your email address, so your account can’t be found.',
  OidcUnverified: 'The provider has not verified your email address; verify it there first.',
  OidcDomain: 'This provider is not trusted for your email domain; ask an administrator.',
  OidcNoAccount: 'There is no account for you here; ask an administrator to invite you.',
  OidcTaken:
    'The account with your email belongs to another user of this provider; ask an administrator.',
  OidcUnconfirmed:
    'An administrator’s account is linked after its password or second factor; set a password first.',
  OidcNoRole: 'The provider gives you no role here; ask its administrator for access.',
  OidcNotActive: 'This account is not activated yet; follow the link in the email first.',
  OidcReset: 'This account needs a new password; ask for one with “Forgot your password?”.',
  OidcDisabled: 'This account is disabled; an administrator can enable it.',
} as const
export type ProviderRefusalCode = keyof typeof PROVIDER_REFUSALS

export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'

  constructor(
    readonly code: ProviderRefusalCode,
    /** For the log: never a token, nor what a provider sent. */
    readonly detail: Record<string, string | undefined> = {},
    readonly userId: string | null = null,
  ) {
    super(PROVIDER_REFUSALS[code])
  }
}
