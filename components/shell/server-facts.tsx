'use client'
import { createContext, type ReactNode, use } from 'react'

/** The server settings that texts of the console depend on. */
export type ServerFacts = {
  /** A provider is set; else mails are kept in the outbox. */
  sendsMail: boolean
}

const FactsContext = createContext<ServerFacts>({ sendsMail: false })

export const ServerFactsProvider = ({
  value,
  children,
}: {
  value: ServerFacts
  children: ReactNode
}) => <FactsContext value={value}>{children}</FactsContext>

export const useServerFacts = (): ServerFacts => use(FactsContext)
