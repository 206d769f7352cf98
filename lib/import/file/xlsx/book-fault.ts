import { FileFault } from '../file-fault'

/** The workbook can't be read, or not beyond some place; `reason` says where, and `then` what to do. */
export const bookFault = (reason: string, then = 'save it again as XLSX, or as CSV'): FileFault =>
  new FileFault(`The workbook can't be read: ${reason}; ${then}`)
