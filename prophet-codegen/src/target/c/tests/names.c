double P_2 = P + 1.0;
double P_3 = P_2 * 2.0;
long class_ = GV;
GV = class_;
double sqrt_ = sqrt(P_3);
A[0] = sqrt_;
