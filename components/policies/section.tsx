import type { ReactNode } from 'react'

type Props = { title: string; hint: ReactNode; choice?: ReactNode; children?: ReactNode }

/** A part of the form of a policy. */
export const Section = ({ title, hint, choice, children }: Props) => (
  <section aria-label={title} className="grid gap-2.5">
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-48 gap-0.5">
        <h3 className="text-[13px] font-medium">{title}</h3>
        <p className="text-xs text-muted-foreground">{hint}</p>
      </div>
      {choice}
    </div>
    {children}
  </section>
)
