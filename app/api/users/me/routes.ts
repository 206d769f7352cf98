import type { Routes } from '@/lib/openapi/api-document'
import * as usersMePassword from './password/route'
import * as usersMe from './route'
import * as usersMeSecondFactorsConfirmation from './second-factors/confirmation/route'
import * as usersMeSecondFactorsPasskeysPasskeyId from './second-factors/passkeys/[passkeyId]/route'
import * as usersMeSecondFactorsPasskeysOptions from './second-factors/passkeys/options/route'
import * as usersMeSecondFactorsPasskeys from './second-factors/passkeys/route'
import * as usersMeSecondFactorsRecoveryCodes from './second-factors/recovery-codes/route'
import * as usersMeSecondFactors from './second-factors/route'
import * as usersMeSecondFactorsTotpConfirm from './second-factors/totp/confirm/route'
import * as usersMeSecondFactorsTotp from './second-factors/totp/route'
import * as usersMeSessionsSessionId from './sessions/[sessionId]/route'
import * as usersMeSessions from './sessions/route'

/** Those of one's own account. */
export const MY_ROUTES: Routes = {
  '/api/users/me': usersMe,
  '/api/users/me/password': usersMePassword,
  '/api/users/me/second-factors': usersMeSecondFactors,
  '/api/users/me/second-factors/confirmation': usersMeSecondFactorsConfirmation,
  '/api/users/me/second-factors/passkeys': usersMeSecondFactorsPasskeys,
  '/api/users/me/second-factors/passkeys/[passkeyId]': usersMeSecondFactorsPasskeysPasskeyId,
  '/api/users/me/second-factors/passkeys/options': usersMeSecondFactorsPasskeysOptions,
  '/api/users/me/second-factors/recovery-codes': usersMeSecondFactorsRecoveryCodes,
  '/api/users/me/second-factors/totp': usersMeSecondFactorsTotp,
  '/api/users/me/second-factors/totp/confirm': usersMeSecondFactorsTotpConfirm,
  '/api/users/me/sessions': usersMeSessions,
  '/api/users/me/sessions/[sessionId]': usersMeSessionsSessionId,
}
