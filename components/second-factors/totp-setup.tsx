'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { renderSVG } from 'uqr'
import { AuthForm, type Field } from '@/components/auth/auth-form'
import { CopyButton } from '@/components/ui/copy-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { ApiError } from '@/lib/http/client'
import type { TotpSetup as Setup } from '@/lib/second-factors/contract'
import { beginTotp, finishTotp } from './factor-queries'

type Props = {
  run: <T>(change: () => Promise<T>) => Promise<T | null>
  onAdded: (codes: string[] | null) => void
  onDeclined: () => void
}

/** Shows the secret for an authenticator app, and takes its first code. */
export default function TotpSetup({ run, onAdded, onDeclined }: Props) {
  const setup = useQuery({
    queryKey: ['totp-setup'],
    queryFn: async () => {
      const begun = await run(beginTotp)
      if (!begun) onDeclined()
      return begun
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (setup.error) return <ErrorState error={setup.error} onRetry={() => setup.refetch()} />
  if (!setup.data) return <Skeleton className="h-72 rounded-lg" />
  return <Begun setup={setup.data} run={run} onAdded={onAdded} />
}

const CODE: Field = {
  name: 'code',
  label: 'Code',
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  hint: 'The six digits that the app shows now.',
}

function Begun({ setup, run, onAdded }: Omit<Props, 'onDeclined'> & { setup: Setup }) {
  const { setupId, secret, uri } = setup
  return (
    <div className="grid gap-4">
      <p>Scan this picture with an authenticator app, or enter the secret there by hand.</p>
      <QrCode uri={uri} />
      <div className="flex items-center gap-2">
        <code className="min-w-0 rounded bg-muted px-2 py-1 text-[13px] break-all">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <AuthForm
        fields={[CODE]}
        button="Add authenticator app"
        submit={async ({ code = '' }) => {
          try {
            const added = await run(() => finishTotp({ setupId, code }))
            if (added) onAdded(added.recoveryCodes)
            return null
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
            return { message: error.message, errorOf: (name) => error.errorOf(name) }
          }
        }}
      />
    </div>
  )
}

/** Black on white in both themes: not all apps read others. */
function QrCode({ uri }: { uri: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`, [uri])
  return (
    // biome-ignore lint/performance/noImgElement: made here, nothing to optimise
    <img
      src={source}
      alt="QR code of the secret for an authenticator app"
      className="size-48 justify-self-center rounded-lg border bg-white p-2"
    />
  )
}
