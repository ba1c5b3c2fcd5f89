import { createReturn } from './tools/create-return.ts';
import { createTicket } from './tools/create-ticket.ts';
import { getOrderStatus } from './tools/get-order-status.ts';
import { getRefundPolicy } from './tools/get-refund-policy.ts';
import { registerParcelRejection } from './tools/register-parcel-rejection.ts';
import { submitRefundRequest } from './tools/submit-refund-request.ts';

export const supportTools = [getOrderStatus, getRefundPolicy, submitRefundRequest, registerParcelRejection, createReturn, createTicket];
