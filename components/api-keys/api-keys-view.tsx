'use client'
import { KeyRoundIcon, PlusIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { DataTable } from '@/components/data-table/data-table'
import { FilterButton, FilterChips } from '@/components/data-table/filter/filter-bar'
import { Pager } from '@/components/data-table/pager'
import { SearchBox } from '@/components/data-table/search-box'
import { useListState } from '@/components/data-table/use-list-state'
import { Page } from '@/components/shell/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/state'
import type { ApiKey, NewApiKey } from '@/lib/api-keys/contract'
import { useSearch } from '@/lib/query/search'
import { KEY_FIELDS, keysSearch } from './api-keys-search'
import { ConfirmRevoke, ConfirmRotate } from './confirm-key-act'
import { CreateKeyDialog } from './create-key-dialog'
import { keyColumns } from './key-columns'
import { ShowKeyDialog } from './show-key-dialog'

type Step =
  | { type: 'create' }
  | { type: 'show'; apiKey: NewApiKey }
  | { type: 'rotate' | 'revoke'; apiKey: ApiKey }

/** The keys of programs: list, create, rotate, revoke. */
export function ApiKeysView() {
  const list = useListState()
  const [step, setStep] = useState<Step | null>(null)
  const columns = useMemo(() => keyColumns((type, apiKey) => setStep({ type, apiKey })), [])
  const answer = useSearch<ApiKey>('EngineApiKeys', keysSearch(list))
  const rows = answer.data?.data ?? []
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
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox list={list} label="Search by name or beginning" />
        <FilterButton fields={KEY_FIELDS} list={list} />
        <span className="ml-auto" />
        <ColumnsMenu columns={columns} list={list} layoutKey="api-keys" />
      </div>
      <FilterChips fields={KEY_FIELDS} list={list} />
      <DataTable
        label="API keys"
        layoutKey="api-keys"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        list={list}
        loading={answer}
        empty={
          <EmptyState icon={KeyRoundIcon} title="No API keys yet" actions={create}>
            A program needs a key of its own to call the API.
          </EmptyState>
        }
      />
      <Pager list={list} total={answer.data?.pagination?.total} shown={rows.length} />
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
