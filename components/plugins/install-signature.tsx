import { Notice } from '@/components/ui/notice'
import { Status } from '@/components/ui/status'
import type { InstallPreview } from './searches'

type Signature = NonNullable<InstallPreview['signature']>

/** Who signed an archive, and whether the key is trusted. */
export function SignatureText({ signature }: { signature: Signature }) {
  const { state, publisher, keyId, accepted } = signature
  if (state === 'local') return 'Made on this server'
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {publisher ?? (keyId ? 'Unknown publisher' : 'Not signed')}
      {keyId && <span className="font-mono text-xs text-muted-foreground">{keyId}</span>}
      {state === 'valid' && <Status tone="success">Trusted</Status>}
      {state === 'expired' && <Status tone="warning">Trust expired</Status>}
      {state === 'unknown' && <Status tone="warning">Not trusted</Status>}
      {accepted && <Status tone="warning">Another key accepted</Status>}
    </span>
  )
}

/** What a plan says of the signature: nothing of an archive without one, where none is asked for. */
export function SignatureNotice({ signature }: { signature: Signature | undefined }) {
  if (!signature || signature.state === 'local') return null
  const { state, warning, accepted } = signature
  if (accepted)
    return (
      <Notice tone="warning" title="The installed version is signed by another key">
        Install it only if the publisher confirms the change.
      </Notice>
    )
  if (warning) return <Notice tone="warning" title={warning} />
  if (state === 'none') return null
  return (
    <div className="flex flex-wrap gap-x-1.5 text-[13px] text-muted-foreground">
      Signed by <SignatureText signature={signature} />
    </div>
  )
}
