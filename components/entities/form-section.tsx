import type { ReactNode } from 'react'

type Props = { title: string | null; children: ReactNode }

/** Fields of one group of a form, below its name. */
export function FormSection({ title, children }: Props) {
  if (title === null) return children
  return (
    <section aria-label={title} className="grid gap-4 border-t pt-3">
      <h3 className="text-[13px] font-semibold">{title}</h3>
      {children}
    </section>
  )
}
