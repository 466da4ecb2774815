/** The request of the example that the guide lets auditors open. */
export const EXAMPLE_REQUEST = 'Acme Bank, loan 4711 k3v9q2';
