import type { ReactNode } from 'react'

type Fact = { label: string; value: ReactNode }

/** Names and values of one object. */
export function Facts({ facts }: { facts: readonly (Fact | null | false)[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[10rem_1fr]">
      {facts.filter(Boolean).map((fact) => (
        <FactRow key={(fact as Fact).label} {...(fact as Fact)} />
      ))}
    </dl>
  )
}

const FactRow = ({ label, value }: Fact) => (
  <div className="grid gap-0.5 sm:contents">
    <dt className="text-[13px] text-muted-foreground">{label}</dt>
    <dd className="min-w-0 break-words">{value ?? '—'}</dd>
  </div>
)
