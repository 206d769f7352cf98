import { useQuery } from '@tanstack/react-query'
import {
  EyeIcon,
  MoreHorizontalIcon,
  PlusIcon,
  RefreshCwIcon,
  ShieldIcon,
  Trash2Icon,
} from 'lucide-react'
import { useQueryState } from 'nuqs'
import { useCallback, useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { entitiesOptions } from '@/components/entities/entity-queries'
import type { Panel } from '@/components/lists/define-list'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button, IconButton } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { Dialog } from '@/components/ui/dialog'
import { Menu, MenuItem, MenuLink } from '@/components/ui/menu'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { viewAsHref } from '@/components/view-as/view-as-link'
import type { ApiKey, NewApiKey } from '@/lib/api-keys/contract'
import { CreateKeyDialog } from './create-key-dialog'
import { revokeKey, rotateKey, useKeyMutation } from './key-queries'

type Step =
  | { type: 'create' }
  | { type: 'show'; apiKey: NewApiKey }
  | { type: 'rotate' | 'revoke'; apiKey: ApiKey }

type OnStep = (step: Step | null) => void

/** What can be done with keys: create (also by `?create=1`), rotate, revoke, each in a dialog. */
export function useKeyPanel(): Panel<ApiKey> {
  const { step, onStep } = useKeyStep()
  return {
    rowActions: useCallback((apiKey) => <KeyMenu apiKey={apiKey} onStep={onStep} />, [onStep]),
    actions: (
      <Button variant="primary" onClick={() => onStep({ type: 'create' })}>
        <PlusIcon aria-hidden />
        New key
      </Button>
    ),
    panel: step && <KeyDialog step={step} onStep={onStep} />,
  }
}

function useKeyStep(): { step: Step | null; onStep: OnStep } {
  const [asked, setAsked] = useQueryState('create')
  const [chosen, setChosen] = useState<Step | null>(null)
  const onStep = useCallback<OnStep>(
    (next) => {
      void setAsked(null)
      setChosen(next)
    },
    [setAsked],
  )
  return { step: chosen ?? (asked === null ? null : { type: 'create' }), onStep }
}

/** What can be done to a key that still works. */
function KeyMenu({ apiKey, onStep }: { apiKey: ApiKey; onStep: OnStep }) {
  const mayView = useCan('security:manage')
  const first = useQuery(entitiesOptions).data?.data[0]?.name
  if (apiKey.status === 'REVOKED') return null
  return (
    <Menu trigger={<IconButton icon={MoreHorizontalIcon} label={`Actions for ${apiKey.name}`} />}>
      {first && mayView && (
        <MenuItem onClick={() => window.location.assign(viewAsHref(first, `key:${apiKey.id}`))}>
          <EyeIcon aria-hidden />
          View records as this key
        </MenuItem>
      )}
      {apiKey.roles?.map((role) => (
        <MenuLink key={role} href={`/roles/${encodeURIComponent(role)}`}>
          <ShieldIcon aria-hidden />
          Rights of {role}
        </MenuLink>
      ))}
      <MenuItem onClick={() => onStep({ type: 'rotate', apiKey })}>
        <RefreshCwIcon aria-hidden />
        Rotate
      </MenuItem>
      <MenuItem tone="destructive" onClick={() => onStep({ type: 'revoke', apiKey })}>
        <Trash2Icon aria-hidden />
        Revoke
      </MenuItem>
    </Menu>
  )
}

function KeyDialog({ step, onStep }: { step: Step; onStep: OnStep }) {
  const close = () => onStep(null)
  const show = (apiKey: NewApiKey) => onStep({ type: 'show', apiKey })
  switch (step.type) {
    case 'create':
      return <CreateKeyDialog onClose={close} onCreated={show} />
    case 'show':
      return <ShowKeyDialog apiKey={step.apiKey} onClose={close} />
    case 'rotate':
      return <ConfirmRotate apiKey={step.apiKey} onClose={close} onRotated={show} />
    case 'revoke':
      return <ConfirmRevoke apiKey={step.apiKey} onClose={close} />
  }
}

type Props = { apiKey: ApiKey; onClose: () => void }

/** Asks before a key is revoked permanently. */
function ConfirmRevoke({ apiKey, onClose }: Props) {
  const revocation = useKeyMutation(revokeKey)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      description="Requests with this key are refused immediately. This can’t be undone."
      confirmLabel="Revoke key"
      attempt={revocation}
      onConfirm={() =>
        revocation.mutate(apiKey, {
          onSuccess: () => {
            toast.success(`“${apiKey.name}” is revoked`)
            onClose()
          },
        })
      }
    />
  )
}

/** Asks before a key is replaced by a new one with the same name and rights. */
function ConfirmRotate({
  apiKey,
  onClose,
  onRotated,
}: Props & { onRotated: (key: NewApiKey) => void }) {
  const rotation = useKeyMutation(rotateKey)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Rotate “${apiKey.name}”?`}
      description="A new key with the same rights replaces it. The old key stops working immediately."
      confirmLabel="Rotate key"
      tone="primary"
      attempt={rotation}
      onConfirm={() => rotation.mutate(apiKey, { onSuccess: onRotated })}
    />
  )
}

const WORDS = {
  title: 'Leave without the key?',
  keep: 'Stay',
  discard: 'Leave',
}

/** Shows a key the one time it can be shown: only its buttons close it. */
function ShowKeyDialog({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  const what = `The API key “${apiKey.name}” can’t be shown again. Copy it first.`
  useUnsaved({ what, words: WORDS, dirty: true })
  return (
    <Dialog
      stays
      onClose={onClose}
      title={`API key “${apiKey.name}”`}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="grid gap-4">
        <Notice tone="warning" title="Copy it now">
          Only its first characters and a hash are stored, so it can’t be shown again.
        </Notice>
        <CodeBlock label="the API key" code={apiKey.apiKey} wrap />
        <p className="text-[13px] text-muted-foreground">
          Send it with every request as{' '}
          <span className="font-mono whitespace-nowrap">Authorization: Bearer …</span>
        </p>
      </div>
    </Dialog>
  )
}
