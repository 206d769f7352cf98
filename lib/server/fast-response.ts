/**
 * In place of `Response` in the bundle of the server: made without a stream, and sent as the text
 * that it is.
 */
export { FastResponse as Response } from 'srvx/node'
