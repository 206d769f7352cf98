'use client'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { AuthForm } from '@/components/auth/auth-form'
import { passkeyWords } from '@/components/auth/passkey-words'
import type { FormError } from '@/components/ui/form'
import { ApiError } from '@/lib/http/client'
import { addPasskey, offerPasskey } from './factor-queries'

type Props = {
  run: <T>(change: () => Promise<T>) => Promise<T | null>
  onAdded: (codes: string[] | null) => void
}

/** Asks for a name, and lets the browser make a passkey. */
export default function PasskeySetup({ run, onAdded }: Props) {
  async function add(name: string): Promise<FormError | null> {
    try {
      const offered = await run(offerPasskey)
      if (!offered) return null
      const optionsJSON = offered.options as PublicKeyCredentialCreationOptionsJSON
      const response = await startRegistration({ optionsJSON })
      const { challengeId } = offered
      onAdded((await addPasskey({ challengeId, name, response })).recoveryCodes)
      return null
    } catch (error) {
      if (!(error instanceof ApiError)) return { message: passkeyWords(error) }
      return { message: error.message, errorOf: (field) => error.errorOf(field) }
    }
  }
  return (
    <div className="grid gap-4">
      <p>
        A passkey is kept by this device, a password manager or a security key. It signs you in
        without a password, too.
      </p>
      <AuthForm
        fields={[
          {
            name: 'name',
            label: 'Name',
            type: 'text',
            autoComplete: 'off',
            hint: 'Where the passkey is, such as “Work laptop”.',
          },
        ]}
        button="Add passkey"
        submit={({ name = '' }) => add(name.trim())}
      />
    </div>
  )
}
