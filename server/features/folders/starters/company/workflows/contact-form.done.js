// Outputs: the answer, without a body, because what was stored is nobody else's business; what the desk is told.
const answer = { next: msg.next, payload: null };
return msg.payload === undefined ? [answer] : [answer, msg];
