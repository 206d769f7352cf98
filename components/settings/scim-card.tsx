'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CodeBlock } from '@/components/ui/code-block'
import { Dialog } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { Notice, Refusal } from '@/components/ui/notice'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import { api, apiItem } from '@/lib/http/client'
import type { NewScimToken, ScimToken } from '@/lib/scim/contract'

type Props = {
  token: ScimToken | null
  /** Where the identity provider reaches SCIM. */
  address: string
}

/** The token of the identity provider, as it is now. */
export function ScimCard({ token, address }: Props) {
  const [current, setCurrent] = useState(token)
  const [made, setMade] = useState<NewScimToken | null>(null)
  const [asks, setAsks] = useState<'rotate' | 'revoke' | null>(null)
  const close = () => setAsks(null)
  const making = useMutation({
    mutationFn: () => apiItem<NewScimToken>('/api/scim-token', { method: 'POST' }),
    onSuccess: (fresh) => {
      setCurrent(fresh)
      setMade(fresh)
      close()
    },
  })
  const revoking = useMutation({
    mutationFn: () => api('/api/scim-token', { method: 'DELETE' }),
    onSuccess: () => {
      setCurrent(null)
      close()
      toast.success('SCIM is off')
    },
  })
  return (
    <Card title="SCIM">
      <div className="grid gap-3">
        <p className="text-[13px] text-muted-foreground">
          An identity provider such as Entra ID or Okta creates, changes and deactivates accounts
          with this token. What it manages can’t be changed here.
        </p>
        {current && <TokenFacts token={current} address={address} />}
        {!asks && <Refusal of={making.error} />}
        <div className="flex flex-wrap gap-2">
          {current ? (
            <>
              <Button onClick={() => setAsks('rotate')}>Rotate the token</Button>
              <Button onClick={() => setAsks('revoke')}>Turn SCIM off</Button>
            </>
          ) : (
            <Button busy={making.isPending} onClick={() => making.mutate()}>
              Turn SCIM on
            </Button>
          )}
        </div>
      </div>
      {asks === 'rotate' && (
        <ConfirmDialog
          onClose={close}
          title="Rotate the SCIM token?"
          description="The current token stops working immediately. Provisioning fails until the identity provider has the new one."
          confirmLabel="Rotate token"
          attempt={making}
          onConfirm={() => making.mutate()}
        />
      )}
      {asks === 'revoke' && (
        <ConfirmDialog
          onClose={close}
          title="Turn SCIM off?"
          description="The token stops working immediately. Accounts stay as they are, and can be changed here again."
          confirmLabel="Turn SCIM off"
          attempt={revoking}
          onConfirm={() => revoking.mutate()}
        />
      )}
      {made && <ShowToken made={made} address={address} onClose={() => setMade(null)} />}
    </Card>
  )
}

const TokenFacts = ({ token, address }: { token: ScimToken; address: string }) => (
  <Facts
    facts={[
      { label: 'Address', value: <span className="font-mono text-xs break-all">{address}</span> },
      { label: 'Token', value: <span className="font-mono text-xs">{token.prefix}…</span> },
      {
        label: 'Made',
        value: (
          <>
            <Time value={token.createdAt} /> by {token.createdBy}
          </>
        ),
      },
      { label: 'Last used', value: <Time value={token.lastUsedAt} /> },
    ]}
  />
)

const WORDS = { title: 'Leave without the token?', keep: 'Stay', discard: 'Leave' }

/** Shows the token the one time it can be shown: only its button closes it. */
function ShowToken({
  made,
  address,
  onClose,
}: {
  made: NewScimToken
  address: string
  onClose: () => void
}) {
  const what = 'The SCIM token can’t be shown again. Copy it first.'
  useUnsaved({ what, words: WORDS, dirty: true })
  return (
    <Dialog
      stays
      onClose={onClose}
      title="SCIM token"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="grid gap-4">
        <Notice tone="warning" title="Copy it now">
          Only a hash of it is stored, so it can’t be shown again.
        </Notice>
        <CodeBlock label="the token" code={made.token} wrap />
        <p className="text-[13px] text-muted-foreground">
          The identity provider sends it as a bearer token to {address}.
        </p>
      </div>
    </Dialog>
  )
}
