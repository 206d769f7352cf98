/** Why a passkey was not made or used, for people: browsers say it in words for programmers. */
export function passkeyWords(error: unknown): string {
  const { name, message, code } = error as { name?: string; message?: string; code?: string }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return 'This device has a passkey of your account already.'
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was chosen in time. Try again, or use another way.'
  if (name === 'SecurityError')
    return 'This address allows no passkeys: open the server by the name in its setting APP_URL, with HTTPS.'
  return name === 'ApiError' && message
    ? message
    : 'The passkey could not be used. Try again, or use another way.'
}
