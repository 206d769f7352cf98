'use client'
import { KeyRoundIcon, PlusIcon } from 'lucide-react'
import { useCallback, useState } from 'react'
import { DataList } from '@/components/data-table/data-list'
import { useList } from '@/components/data-table/use-list'
import { Page } from '@/components/shell/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/state'
import type { ApiKey, NewApiKey } from '@/lib/api-keys/contract'
import { KEY_FIELDS, keysSearch } from './api-keys-search'
import { ConfirmRevoke, ConfirmRotate } from './confirm-key-act'
import { CreateKeyDialog } from './create-key-dialog'
import { KEY_COLUMNS, type KeyAct, KeyMenu } from './key-columns'
import { ShowKeyDialog } from './show-key-dialog'

type Step =
  | { type: 'create' }
  | { type: 'show'; apiKey: NewApiKey }
  | { type: 'rotate' | 'revoke'; apiKey: ApiKey }

/** The keys of programs: list, create, rotate, revoke. */
export function ApiKeysView() {
  const [step, setStep] = useState<Step | null>(null)
  const act = useCallback((type: KeyAct, apiKey: ApiKey) => setStep({ type, apiKey }), [])
  const menu = useCallback((apiKey: ApiKey) => <KeyMenu apiKey={apiKey} act={act} />, [act])
  const from = useList<ApiKey>('EngineApiKeys', keysSearch)
  const create = (
    <Button variant="primary" onClick={() => setStep({ type: 'create' })}>
      <PlusIcon aria-hidden />
      New key
    </Button>
  )
  return (
    <Page
      fill
      title="API keys"
      description="Keys with which programs call the API."
      actions={create}
    >
      <DataList
        label="API keys"
        layoutKey="api-keys"
        searchLabel="Search by name or beginning"
        from={from}
        columns={KEY_COLUMNS}
        fields={KEY_FIELDS}
        rowActions={menu}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        empty={
          <EmptyState icon={KeyRoundIcon} title="No API keys yet" actions={create}>
            A program needs a key of its own to call the API.
          </EmptyState>
        }
      />
      <Steps step={step} onStep={setStep} />
    </Page>
  )
}

function Steps({ step, onStep }: { step: Step | null; onStep: (step: Step | null) => void }) {
  if (!step) return null
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
